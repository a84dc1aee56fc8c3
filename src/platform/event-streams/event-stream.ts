import { Readable } from 'node:stream';
import type { Mode } from '../../kit/index.js';

const HEARTBEAT_MS = 15_000;
/** A reader who takes nothing for so long has gone, or cannot keep up. */
const LONGEST_PAUSE_MS = 60_000;
/** How long a client waits before it connects again. */
const RETRY_MS = 1_000;
const BUFFERED_BYTES = 256 * 1024;

/** The key that reads a stream; it is checked again before every delivery. */
export interface StreamKey {
  authorization: string | undefined;
  address: string;
}

/** Which events a stream has. */
export interface StreamFilter {
  organizationId: string;
  mode: Mode;
  /** The project that the key is bound to. */
  pin: string | null;
  /** `none` for events without a project; undefined for all. */
  projects: readonly string[] | undefined;
  /** As endpoints subscribe; undefined for all. */
  types: readonly string[] | undefined;
}

/** Why a stream ends; the code is that of an error, if a further request would fail with it. */
export interface StreamEnd {
  code: string;
  message: string;
}

/** One open answer of server-sent events. */
export class EventStream {
  readonly readable: Readable;
  private writtenAt = performance.now();
  /** Since when the reader has taken nothing of a full buffer. */
  private fullSince: number | null = null;

  /** `after`: the sequence up to which everything was sent. */
  constructor(
    readonly keyId: string,
    readonly key: StreamKey,
    readonly filter: StreamFilter,
    public after: number,
    onRead: () => void,
  ) {
    this.readable = new Readable({
      highWaterMark: BUFFERED_BYTES,
      read: () => {
        const wasFull = this.fullSince !== null;
        this.fullSince = null;
        if (wasFull) onRead();
      },
    });
    // an id without data is no event, and is sent as Last-Event-ID by a client whose connection ends before the first one
    this.write(`retry: ${RETRY_MS}\nid: ${after}\n\n`);
  }

  get isFull(): boolean {
    return this.fullSince !== null;
  }

  get hasEnded(): boolean {
    return this.readable.destroyed || this.readable.readableEnded;
  }

  /** `body`: the JSON of the event. */
  send(sequence: number, projectId: string | null, body: string): void {
    const { pin, projects } = this.filter;
    if (pin !== null && projectId !== pin) return;
    if (projects?.includes(projectId ?? 'none') === false) return;
    this.write(`id: ${sequence}\ndata: ${body}\n\n`);
  }

  /** Keeps proxies from closing the connection, and says up to where no event matched. */
  beat(): void {
    const now = performance.now();
    if (this.fullSince !== null && now - this.fullSince > LONGEST_PAUSE_MS) this.readable.destroy();
    else if (!this.isFull && now - this.writtenAt >= HEARTBEAT_MS) this.write(`: heartbeat\nid: ${this.after}\n\n`);
  }

  end(why: StreamEnd): void {
    if (this.readable.destroyed) return;
    this.write(`event: end\ndata: ${JSON.stringify(why)}\n\n`);
    this.readable.push(null);
  }

  private write(text: string): void {
    if (this.readable.destroyed) return;
    this.writtenAt = performance.now();
    if (!this.readable.push(text)) this.fullSince ??= this.writtenAt;
  }
}
