import type { Socket } from 'node:net';

const CONTINUE = 'HTTP/1.1 100';
const HEAD_END = '\r\n\r\n';
const MAX_HEAD_BYTES = 16 * 1024;

/**
 * Removes each `100 Continue` before the final response. A client must accept one that it did not ask for (RFC 9110, 15.2);
 * undici closes the connection, although it passes on all other 1xx. For connections without pipelining only, on which the first
 * bytes after a request are the start of its response.
 */
export function withoutContinue(socket: Socket): Socket {
  const [read, write] = [socket.read.bind(socket), socket.write.bind(socket)];
  let beginning = false;
  let held: Buffer | null = null;
  socket.write = ((...values: Parameters<Socket['write']>) => {
    beginning = true;
    return write(...values);
  }) as Socket['write'];
  socket.read = (size?: number) => {
    for (;;) {
      const chunk = read(size) as Buffer | null;
      if (!beginning || chunk === null) return chunk;
      const all: Buffer = held ? Buffer.concat([held, chunk]) : chunk;
      const rest = afterContinue(all);
      held = rest === undefined ? all : null;
      if (rest === undefined || rest.length === 0) continue;
      beginning = false;
      return rest;
    }
  };
  return socket;
}

/** The bytes after the informational responses; undefined while more bytes are needed to decide. */
function afterContinue(bytes: Buffer): Buffer | undefined {
  let rest = bytes;
  while (rest.length > 0) {
    const begins = rest.toString('latin1', 0, CONTINUE.length);
    if (!CONTINUE.startsWith(begins)) return rest;
    const end = rest.indexOf(HEAD_END);
    if (end < 0) return rest.length > MAX_HEAD_BYTES ? rest : undefined;
    rest = rest.subarray(end + HEAD_END.length);
  }
  return rest;
}
