import {type Rng, randomIndex} from '../src/base/numeric/index.ts'

/** Broken variants of valid files, for fuzzing. All of them depend only on the file and the stream of random numbers. */
export type Mutate = (file: Uint8Array, random: Rng) => Uint8Array

function pick<T>(list: readonly T[], random: Rng): T {
  return list[randomIndex(random, list.length)]
}

/** Pieces that parsers stumble over: NUL, invalid UTF-8, a lone surrogate, marks of several formats. */
const pieces: readonly (string | Uint8Array)[] = [
  ...[
    '\0',
    '\ufeff',
    '"',
    "'",
    '\n',
    '\r',
    '\r\n',
    ',',
    '\t',
    '{',
    '}',
    '[',
    ']',
    '<',
    '>',
    '&',
    '%',
    '#',
    ':',
    '\\',
    '`'
  ],
  ...['-1', '1.5', '1e308', '1e999', '-0', '0x10', 'NaN', 'Infinity', 'null', 'true', '9007199254740993', '4294967296'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '\\ud800',
    '/(a+)+$/',
    '/[/',
    '/a/y',
    '@data',
    '<row ',
    '-->'
  ],
  '['.repeat(5000),
  '{"a":'.repeat(5000),
  'x'.repeat(20_000),
  Uint8Array.of(0xff, 0xfe),
  Uint8Array.of(0xed, 0xa0, 0x80),
  Uint8Array.of(0xc0, 0xaf),
  Uint8Array.of(0x80),
  Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)
]

/** Bytes are flipped, cut, doubled, moved or put in. */
export function mutateBytes(file: Uint8Array, random: Rng): Uint8Array {
  let bytes = Buffer.from(file)
  for (let left = 1 + randomIndex(random, 3); left > 0; left--) bytes = mutateOnce(bytes, random)
  return bytes
}

function mutateOnce(bytes: Buffer<ArrayBuffer>, random: Rng): Buffer<ArrayBuffer> {
  const at = randomIndex(random, bytes.length + 1)
  const to = Math.min(bytes.length, at + 1 + randomIndex(random, 40))
  switch (randomIndex(random, 7)) {
    case 0: {
      const flipped = Buffer.from(bytes)
      if (at < bytes.length) flipped[at] ^= 1 << randomIndex(random, 8)
      return flipped
    }
    case 1:
      return bytes.subarray(0, at)
    case 2:
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)])
    case 3:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)])
    case 4:
      return Buffer.concat([bytes.subarray(at), bytes.subarray(0, at)])
    case 5: {
      const written = Buffer.from(bytes)
      if (at < bytes.length) written[at] = pick([0, 1, 0x7f, 0x80, 0xff], random)
      return written
    }
    default:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(pick(pieces, random)), bytes.subarray(to)])
  }
}

/** A number, name or cell of a text file is replaced. */
export function mutateText(file: Uint8Array, random: Rng): Uint8Array {
  const text = Buffer.from(file).toString('latin1')
  const words = [...text.matchAll(/[\w.]+/g)]
  if (words.length === 0) return mutateBytes(file, random)
  const {0: word, index} = pick(words, random)
  const piece = pick(pieces, random)
  const bytes = typeof piece === 'string' && randomIndex(random, 4) === 0 ? pick(words, random)[0] : piece
  return Buffer.concat([
    Buffer.from(text.slice(0, index), 'latin1'),
    Buffer.from(bytes),
    Buffer.from(text.slice(index + word.length), 'latin1')
  ])
}

const names = [
  '__proto__',
  'constructor',
  'toString',
  'id',
  'text',
  'features',
  'labels',
  'tags',
  'kind',
  '',
  '$schema',
  'a:b'
]

/** Values that JSON.stringify cannot write, by the text that stands for them until then. */
const rawValues: Readonly<Record<string, string>> = {
  '@deep@': `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  '@deep object@': `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  '@infinite@': '1e999'
}

function oddValue(random: Rng): unknown {
  return pick(
    [
      ...[
        null,
        true,
        false,
        0,
        -1,
        1,
        1.5,
        -0,
        1e308,
        2 ** 53,
        2 ** 32,
        1e-320,
        3,
        '',
        'x',
        '\ud800',
        '\0',
        '__proto__'
      ],
      ...['constructor', 'NaN', '1', '/(a+)+$/', '/[/', 'x'.repeat(5000), [], {}, [[]], [null], [-1], ['', ''], {a: 1}],
      ...[{__proto__: null, constructor: 1}, JSON.parse('{"__proto__": {"polluted": true}}'), ['x', 'x'], [1, 2, 3]],
      ...Object.keys(rawValues)
    ],
    random
  )
}

/** One place of a JSON value: its holder and its key. */
interface Place {
  readonly holder: Record<string, unknown>
  readonly key: string
}

function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap(key => [{holder, key}, ...placesOf(holder[key])])
}

function setOwn(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, {value, enumerable: true, configurable: true, writable: true})
}

/** A JSON value in which values have other types, or keys are swapped, renamed, left out or doubled. */
export function mutateJsonValue(value: unknown, random: Rng): unknown {
  const root = structuredClone({value})
  for (let left = 1 + randomIndex(random, 2); left > 0; left--) {
    // Short paths first half of the time: otherwise most mutations hit long lists of numbers.
    const all = placesOf(root)
    const {holder, key} = pick(randomIndex(random, 2) === 0 ? all.slice(0, 40) : all, random)
    const other = pick(all, random)
    const kind = randomIndex(random, 7)
    if (kind <= 1) setOwn(holder, key, oddValue(random))
    else if (kind === 2 && holder !== root) {
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
    } else if (kind === 3) setOwn(holder, key, structuredClone(other.holder[other.key]))
    else if (kind === 4 && Array.isArray(holder)) holder.splice(Number(key), 0, structuredClone(holder[Number(key)]))
    else if (kind === 5 && !Array.isArray(holder) && holder !== root) {
      const moved = holder[key]
      delete holder[key]
      setOwn(holder, pick(names, random), moved)
    } else if (typeof holder[key] === 'number')
      setOwn(holder, key, pick([-1, 0.5, 1e308, 2 ** 53, holder[key] + 1], random))
    else setOwn(holder, pick(names, random), oddValue(random))
  }
  return root.value
}

function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return Object.entries(rawValues).reduce((done, [name, raw]) => done.replaceAll(`"${name}"`, raw), text)
}

/** A JSON file, by value half of the time and else by text. */
export function mutateJson(file: Uint8Array, random: Rng): Uint8Array {
  if (randomIndex(random, 3) === 0) return mutateText(file, random)
  return Buffer.from(textOf(mutateJsonValue(JSON.parse(Buffer.from(file).toString()), random)))
}

/** One line of a JSON Lines file. */
export function mutateJsonLines(file: Uint8Array, random: Rng): Uint8Array {
  if (randomIndex(random, 3) === 0) return mutateText(file, random)
  const lines = Buffer.from(file).toString().split('\n')
  const at = randomIndex(random, lines.length - 1)
  lines[at] = textOf(mutateJsonValue(JSON.parse(lines[at]), random))
  return Buffer.from(lines.join('\n'))
}

/** Any of several kinds of mutation. */
export function mixed(...kinds: readonly Mutate[]): Mutate {
  return (file, random) => pick(kinds, random)(file, random)
}
