import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync, type BrotliOptions, type ZlibOptions } from 'node:zlib';
import Negotiator from 'negotiator';

/** A smaller response fits one packet anyway. */
const MIN_BYTES = 1_400;
/** Up to here, compressing takes less time than handing the work to another thread. */
const MAX_SYNC_BYTES = 32 * 1024;
const COMPRESSIBLE = /^(text\/(?!event-stream)|image\/svg\+xml|application\/([\w.-]+\+)?(json|xml|yaml|javascript)\b)/i;
const NO_TRANSFORM = /\bno-transform\b/i;

const ENCODINGS = ['br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];

// levels at which both cost about 0.1 ms for a page of 25 items; higher ones cost a multiple and save a few percent
const BROTLI: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};
const GZIP: ZlibOptions = { level: 4 };

export interface Compressible {
  contentType: unknown;
  /** `no-transform` forbids compression: the response contains a secret, which its length would reveal (BREACH). */
  cacheControl: unknown;
  body: string | Buffer;
}

/** Whether the body is sent compressed to the clients that accept it; then the response varies by `Accept-Encoding`. */
export function isCompressible({ contentType, cacheControl, body }: Compressible): boolean {
  return (
    // the exact length only matters for strings that are close to the minimum
    (body.length >= MIN_BYTES || Buffer.byteLength(body) >= MIN_BYTES) &&
    typeof contentType === 'string' &&
    COMPRESSIBLE.test(contentType) &&
    !(typeof cacheControl === 'string' && NO_TRANSFORM.test(cacheControl))
  );
}

/** What the package's types do not declare: which of equally acceptable encodings to use. */
interface WithPreference {
  encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
}

/** The encoding that an `Accept-Encoding` header prefers (RFC 9110); null for none, which is also always acceptable here. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | null {
  if (header === undefined) return null;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': String(header) } }) as unknown as WithPreference;
  const [best] = negotiator.encodings([...ENCODINGS, 'identity'], { preferred: ENCODINGS });
  return ENCODINGS.find((encoding) => encoding === best) ?? null;
}

/** A Buffer if that was quick, otherwise a promise of one. */
export function compress(body: string | Buffer, encoding: Encoding): Buffer | Promise<Buffer> {
  if (body.length <= MAX_SYNC_BYTES) return encoding === 'br' ? brotliCompressSync(body, BROTLI) : gzipSync(body, GZIP);
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, compressed: Buffer) => (error ? reject(error) : resolve(compressed));
    if (encoding === 'br') brotliCompress(body, BROTLI, done);
    else gzip(body, GZIP, done);
  });
}

/** The `Vary` of a response and the encoding that its client prefers, null for none; null if the response is never compressed. */
export function negotiated(
  response: Compressible,
  vary: unknown,
  accepted: string | string[] | undefined,
): { vary: string; encoding: Encoding | null } | null {
  return isCompressible(response) ? { vary: varyByEncoding(vary), encoding: acceptedEncoding(accepted) } : null;
}

interface Encodable {
  headers: Readonly<Record<string, unknown>>;
  body: string | Buffer;
}

/** The response in the encoding that the client prefers; as it is, if it is not compressed. */
export async function compressed<R extends Encodable>(response: R, accepted: string | string[] | undefined): Promise<R> {
  const { headers, body } = response;
  const given = { contentType: headers['content-type'], cacheControl: headers['cache-control'], body };
  const sent = negotiated(given, headers['vary'], accepted);
  if (sent === null) return response;
  const { vary, encoding } = sent;
  if (encoding === null) return { ...response, headers: { ...headers, vary } };
  return { ...response, headers: { ...headers, vary, 'content-encoding': encoding }, body: await compress(body, encoding) };
}

/** The value of `Vary` with `Accept-Encoding` added, unless it lists it already. */
export function varyByEncoding(vary: unknown): string {
  if (vary === undefined) return 'Accept-Encoding';
  const listed = [vary].flat().map(String);
  const isListed = /(?:^|,)\s*(?:accept-encoding|\*)\s*(?:,|$)/i.test(listed.join());
  return [...listed, ...(isListed ? [] : ['Accept-Encoding'])].join(', ');
}
