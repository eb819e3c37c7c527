import {gunzipSync} from 'fflate'
import {decompress} from 'fzstd'
import {type Compressors, snappyUncompress} from 'hyparquet'

/**
 * Stands for hyparquet-compressors in the scripts of the studio: what programs usually write. Brotli has a dictionary as large as
 * all the rest.
 */
export const compressors: Compressors = {
  SNAPPY(bytes, length) {
    const output = new Uint8Array(length)
    snappyUncompress(bytes, output)
    return output
  },
  GZIP: bytes => gunzipSync(bytes),
  ZSTD: bytes => decompress(bytes)
}
