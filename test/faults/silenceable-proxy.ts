import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { overTcp } from '../harness/database-server.js';

/** The URL through a proxy, over TCP. */
export async function through(url: string): Promise<{ proxy: SilenceableProxy; url: string }> {
  const target = overTcp(url);
  const proxy = await SilenceableProxy.open(Number(target.port));
  target.hostname = '127.0.0.1';
  target.port = String(proxy.port);
  return { proxy, url: target.href };
}

/** A TCP proxy with a fixed port. Its connections can go silent: bytes are swallowed, and neither side is told. */
export class SilenceableProxy {
  private readonly pairs = new Set<[Socket, Socket]>();
  private silent = new Set<Socket>();
  private silencesNew = false;
  private lost: { text: string; part: 'statement' | 'result' } | null = null;

  private constructor(
    private readonly server: Server,
    /** The port that new connections are forwarded to. */
    public target: number,
  ) {}

  static async open(target: number): Promise<SilenceableProxy> {
    const server = createServer();
    const proxy = new SilenceableProxy(server, target);
    server.on('connection', (socket) => proxy.forward(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as { port: number }).port;
  }

  /** Silences all connections; those that are opened later work. Returns their number. */
  silence(): number {
    for (const pair of this.pairs) for (const socket of pair) this.silent.add(socket);
    return this.pairs.size;
  }

  /** Permanently silences all connections, and those that are opened in the meantime. */
  async silenceFor(ms: number): Promise<void> {
    this.silence();
    this.silencesNew = true;
    await sleep(ms);
    this.silencesNew = false;
  }

  /** Silences each connection over which the text is sent from now on: the statement does not arrive, or only its result does not. */
  lose(part: 'statement' | 'result', text: string): void {
    this.lost = { part, text };
  }

  /** The number of connections that are silent, at least in one direction. */
  get silenced(): number {
    return [...this.pairs].filter((pair) => pair.some((socket) => this.silent.has(socket))).length;
  }

  async close(): Promise<void> {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private forward(from: Socket): void {
    const to = connect(this.target, '127.0.0.1');
    const pair: [Socket, Socket] = [from, to];
    this.pairs.add(pair);
    if (this.silencesNew) for (const socket of pair) this.silent.add(socket);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ]) {
      one.on('data', (chunk: Buffer) => {
        if (one === from && this.lost && chunk.includes(this.lost.text))
          for (const socket of this.lost.part === 'result' ? [to] : pair) this.silent.add(socket);
        if (this.silent.has(one) || other.write(chunk)) return;
        one.pause();
        other.once('drain', () => one.resume());
      });
      one.on('end', () => this.silent.has(one) || other.end());
      one.on('error', () => this.silent.has(one) || other.destroy());
      one.on('close', () => {
        if (this.silent.has(one)) return;
        this.pairs.delete(pair);
        other.destroy();
      });
    }
  }
}
