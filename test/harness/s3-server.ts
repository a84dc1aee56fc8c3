import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type Server as TcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Server {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}

// it has no types
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => Server;

const BUCKET = 'suite-files';

/** An S3 server on 127.0.0.1 with one bucket. It checks signatures. */
export class S3Server {
  private server: Server | null = null;
  private silent: TcpServer | null = null;
  private readonly waiting = new Set<Socket>();
  private port = 0;
  /** Where it keeps the bucket. */
  readonly folder = mkdtempSync(join(tmpdir(), 'work-suite-s3-'));

  static async start(): Promise<S3Server> {
    const server = new S3Server();
    await server.resume();
    return server;
  }

  get url(): string {
    return `s3://${BUCKET}/suite?endpoint=http://127.0.0.1:${this.port}`;
  }

  /** Settings of an application that keeps its files there. */
  get env(): Record<string, string> {
    return { STORAGE_URL: this.url, STORAGE_ACCESS_KEY_ID: 'S3RVER', STORAGE_SECRET_ACCESS_KEY: 'S3RVER' };
  }

  /** After `stop` or `hang`, on the same port with the same files. */
  async resume(): Promise<void> {
    await this.stop();
    this.server = new S3rver({
      port: this.port,
      address: '127.0.0.1',
      silent: true,
      directory: this.folder,
      configureBuckets: [{ name: BUCKET }],
    });
    ({ port: this.port } = await this.server.run());
  }

  async stop(): Promise<void> {
    await this.server?.close();
    this.server = null;
    for (const socket of this.waiting) socket.destroy();
    this.waiting.clear();
    await new Promise((closed) => (this.silent ? this.silent.close(closed) : closed(null)));
    this.silent = null;
  }

  /** Takes connections on its port and responds to none, until it is stopped. */
  async hang(onRequest: () => void): Promise<void> {
    await this.stop();
    this.silent = createServer((socket) => {
      this.waiting.add(socket.on('error', () => {}));
      socket.once('data', onRequest);
    });
    const silent = this.silent;
    await new Promise<void>((listening) => silent.listen(this.port, '127.0.0.1', listening));
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }
}
