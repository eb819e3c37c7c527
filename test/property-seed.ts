import fc from 'fast-check'

/**
 * Property tests draw the same cases in every run, so that a change is judged by the change. To look for cases that nobody
 * has thought of: FAST_CHECK_SEED=12345 npm test.
 */
fc.configureGlobal({seed: Number(process.env.FAST_CHECK_SEED ?? 1)})
