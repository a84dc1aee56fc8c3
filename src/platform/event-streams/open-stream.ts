import { Readable } from 'node:stream';

const HEARTBEAT_MS = 15_000;
/** A reader who takes nothing for so long has gone, or cannot keep up. */
const LONGEST_PAUSE_MS = 60_000;
const BUFFERED_BYTES = 256 * 1024;

/** Proxies must pass on each event at once, and the connection ends with the stream. */
export const STREAM_HEADERS = { 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no', Connection: 'close' };

/** The key that reads a stream; it is checked again for as long as the stream is open. */
export interface StreamKey {
  id: string;
  organizationId: string;
  authorization: string | undefined;
  address: string;
}

/** Why a stream ends; the code is that of an error, if a further request would fail with it. */
export interface StreamEnd {
  code: string;
  message: string;
}

/** One open answer of server-sent events. */
export abstract class OpenStream {
  readonly readable: Readable;
  private writtenAt = performance.now();
  /** Since when the reader has taken nothing of a full buffer. */
  private fullSince: number | null = null;

  constructor(
    readonly key: StreamKey,
    onRead: () => void = () => undefined,
  ) {
    this.readable = new Readable({
      highWaterMark: BUFFERED_BYTES,
      read: () => {
        const wasFull = this.fullSince !== null;
        this.fullSince = null;
        if (wasFull) onRead();
      },
    });
  }

  get isFull(): boolean {
    return this.fullSince !== null;
  }

  get hasEnded(): boolean {
    return this.readable.destroyed || this.readable.readableEnded;
  }

  /** Keeps proxies from closing the connection. */
  beat(): void {
    const now = performance.now();
    if (this.fullSince !== null && now - this.fullSince > LONGEST_PAUSE_MS) this.readable.destroy();
    else if (!this.isFull && now - this.writtenAt >= HEARTBEAT_MS) this.write(`: heartbeat\n${this.place()}\n`);
  }

  end(why: StreamEnd): void {
    if (this.readable.destroyed) return;
    // a reader of a full buffer takes no end, and nothing looks after the stream any more
    if (this.isFull) return void this.readable.destroy();
    this.write(this.ending(why));
    this.readable.push(null);
  }

  /** The line that says up to where the stream has been sent, if it can be resumed there. */
  protected place(): string {
    return '';
  }

  /** What a reader gets last. */
  protected abstract ending(why: StreamEnd): string;

  protected write(text: string): void {
    if (this.readable.destroyed || text === '') return;
    this.writtenAt = performance.now();
    if (!this.readable.push(text)) this.fullSince ??= this.writtenAt;
  }
}
