import type { IncomingMessage } from 'node:http';

const HOST = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+;=-]*)(?::\d*)?$/i;
/** Node keeps the first of several, and a proxy before it may have read the last. */
const SINGLE = new Set(['authorization', 'content-type']);

/** Why the head of a request must be rejected although Node's parser accepts it; undefined if it need not be. */
export function headProblem({ headers, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  const { host } = headers;
  // RFC 9112, section 3.2
  if (host === undefined) return httpVersion === '1.1' ? 'An HTTP/1.1 request must have a Host header.' : undefined;
  if (!HOST.test(host)) return 'The Host header must be one host name or IP address, with a port if it needs one.';
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at].toLowerCase();
    if (name === 'host' && ++hosts > 1) return 'The request has several Host headers; send exactly one.';
    if (SINGLE.has(name) && rawHeaders[at + 1] !== headers[name])
      return `The request has several ${rawHeaders[at]} headers with different values; send one.`;
  }
  return undefined;
}
