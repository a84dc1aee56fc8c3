import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Poster } from './post.js';
import { TargetNames } from '../../net/target-names.js';
import { TargetRules } from '../../net/target-rules.js';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const BODY = JSON.stringify({ filler: 'x'.repeat(200_000) });

let server: Server;
let sockets: Set<Socket>;
let poster: Poster;
/** What the receiver writes, piece by piece; the first as soon as the head of a request has come, the others after its body. */
let pieces: string[];

beforeEach(async () => {
  sockets = new Set();
  server = createServer((socket) => {
    sockets.add(socket);
    let bytes = 0;
    socket
      .on('data', async (chunk) => {
        if (bytes === 0) socket.write(pieces[0]);
        bytes += chunk.length;
        if (bytes < BODY.length) return;
        bytes = 0;
        for (const piece of pieces.slice(1)) {
          await sleep(20);
          socket.write(piece);
        }
      })
      .on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  poster = new Poster(new TargetNames(new TargetRules({ allowHttp: true, allowLoopback: true, allowedRanges: [] })), 2_000);
});
afterEach(async () => {
  await poster.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

const post = () => poster.post(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), {}, BODY);

test.each([
  ['alone, before the response', [CONTINUE, OK]],
  ['together with the response', ['', CONTINUE + OK]],
  ['in pieces', ['HTTP/1', '.1 100 Con', 'tinue\r\nX: y\r', '\n\r\nHTTP/1.1 2', OK.slice(10)]],
  ['twice, and 103 after it', [CONTINUE, CONTINUE, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', OK]],
  ['never', ['', OK]],
])('100 Continue %s is not a failure, on a new and on a reused connection', async (_how, written) => {
  pieces = written;
  for (const _time of ['new', 'reused']) {
    expect(await post()).toMatchObject({ status: 200, body: 'done', error: null });
    await sleep(20);
  }
  expect(sockets.size).toBe(1);
});

test("the same bytes in the response's body are not changed", async () => {
  pieces = ['', `HTTP/1.1 200 OK\r\nContent-Length: ${CONTINUE.length}\r\n\r\n`, CONTINUE];
  expect(await post()).toMatchObject({ status: 200, body: CONTINUE, error: null });
});

test('informational responses alone are not a response', async () => {
  pieces = [CONTINUE];
  expect(await post()).toMatchObject({ status: null, error: expect.stringMatching(/timed out/) });
});
