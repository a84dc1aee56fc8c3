import type { Socket } from 'node:net';

const CONTINUE = 'HTTP/1.1 100';
const HEAD_END = '\r\n\r\n';
const LONGEST_HEAD = 16 * 1024;

/**
 * Leaves out each `100 Continue` before the answer that counts. A client must take one that it did not ask for (RFC 9110,
 * 15.2); undici ends the connection over it, whereas it passes all other 1xx on. Holds for connections without pipelining,
 * on which what comes first after a request is the beginning of its answer.
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

/** What follows the interim answers; undefined while the end of one, or whether it is one, is not known yet. */
function afterContinue(bytes: Buffer): Buffer | undefined {
  let rest = bytes;
  while (rest.length > 0) {
    const begins = rest.toString('latin1', 0, CONTINUE.length);
    if (!CONTINUE.startsWith(begins)) return rest;
    const end = rest.indexOf(HEAD_END);
    if (end < 0) return rest.length > LONGEST_HEAD ? rest : undefined;
    rest = rest.subarray(end + HEAD_END.length);
  }
  return rest;
}
