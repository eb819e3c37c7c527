import fc from 'fast-check'

/**
 * Property tests draw the same cases in every run, so that failures come from the change. To search for new
 * cases: FAST_CHECK_SEED=12345 npm test.
 */
fc.configureGlobal({seed: Number(process.env.FAST_CHECK_SEED ?? 1)})
