/** Bytes that are not shared between threads, as Web Crypto requires. */
export type Bytes = Buffer<ArrayBuffer>;

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 5 * 1024 * 1024;

/**
 * Fetches a small file from an authority that the operator's configuration or certificate names. Throws if it does not answer with it
 * in time.
 */
export async function fetchBytes(address: string, post?: { type: string; body: Bytes }): Promise<Bytes> {
  const url = new URL(address);
  const headers: Record<string, string> = {};
  if (url.username || url.password) {
    const [user, password] = [url.username, url.password].map(decodeURIComponent);
    headers.authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    url.username = url.password = '';
  }
  if (post) headers['content-type'] = post.type;
  const response = await fetch(url, {
    method: post ? 'POST' : 'GET',
    headers,
    body: post ? new Uint8Array(post.body) : undefined,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`more than ${MAX_BYTES / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
