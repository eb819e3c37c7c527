/** How a file that begins with these bytes is compressed. */
export function packingOf(head: Uint8Array): 'gzip' | 'Zstandard' | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  return startsZstd(head) ? 'Zstandard' : undefined
}

/** Whether a file that begins with these bytes is Zstandard data. */
export function startsZstd(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && (isZstdFrame(bytes) || isSkippableFrame(bytes))
}

export function isZstdFrame(magic: Uint8Array): boolean {
  return magic[0] === 0x28 && magic[1] === 0xb5 && magic[2] === 0x2f && magic[3] === 0xfd
}

export function isSkippableFrame(magic: Uint8Array): boolean {
  return magic[0] >> 4 === 5 && magic[1] === 0x2a && magic[2] === 0x4d && magic[3] === 0x18
}
