import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { outsideOfWork } from '../../../kit/internal.js';
import { OpenStream, type StreamKey } from '../../event-streams/open-stream.js';
import { OpenStreams } from '../../event-streams/open-streams.js';
import type { KeyAuthenticator } from '../../keys/key-authenticator.js';
import type { KeyRecord } from '../../keys/key-record.js';
import type { KeyChanges } from '../../key-changes/key-changes.js';
import type { StreamFrames } from './stream-frames.js';

/** Keys and custom fields come from memory, so a check of a stream takes microseconds. */
const CHECK_MS = 500;

class ToolListStream extends OpenStream {
  /** `listed`: what the tools depend on that the client knows, or is about to list. */
  constructor(
    key: StreamKey,
    private readonly frames: StreamFrames,
    private readonly release: string,
    private listed: string,
  ) {
    super(key);
    const version = this.version();
    this.write(frames.opened(version));
    if (frames.knownVersion !== undefined && frames.knownVersion !== version) this.write(frames.changed(version));
  }

  compare(listed: string): void {
    if (listed === this.listed || this.isFull) return;
    this.listed = listed;
    this.write(this.frames.changed(this.version()));
  }

  protected override ending(): string {
    return this.frames.ended;
  }

  private version(): string {
    return hash('sha256', `${this.release} ${this.listed}`, 'base64url').slice(0, 16);
  }
}

/** Tells the open streams of this process when the tools of their keys change: their scopes, custom fields, whether they follow plans. */
export class ToolListStreams {
  private readonly log = new Logger('ToolListStreams');
  private readonly streams: OpenStreams<ToolListStream>;
  private timer: NodeJS.Timeout | undefined;
  private failing = false;

  /** `release`: of the code, whose tools may be others than those of another release. `listedFor`: what the tools of a key depend on. */
  constructor(
    keys: KeyAuthenticator,
    changes: KeyChanges,
    private readonly release: string,
    private readonly listedFor: (key: KeyRecord) => Promise<string>,
  ) {
    this.streams = new OpenStreams(keys, changes, true);
  }

  /** Throws if the key has too many. */
  open(key: StreamKey, frames: StreamFrames, listed: string): Readable {
    this.streams.requireRoom(key);
    const stream = new ToolListStream(key, frames, this.release, listed);
    this.streams.add(stream);
    // it serves all streams, not the request that opened one
    this.timer ??= outsideOfWork(() => setTimeout(() => void this.check(), CHECK_MS).unref());
    return stream.readable;
  }

  close(): void {
    clearTimeout(this.timer);
    this.streams.close();
  }

  private async check(): Promise<void> {
    try {
      await this.streams.allowed(async (stream, key) => stream.compare(await this.listedFor(key)));
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.log.warn(`Keys cannot be read; changes of tools are not announced: ${(error as Error).message}`);
      this.failing = true;
    }
    this.streams.beat();
    this.timer = this.streams.isEmpty ? undefined : setTimeout(() => void this.check(), CHECK_MS).unref();
  }
}
