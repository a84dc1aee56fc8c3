import { Readable } from 'node:stream';
import { messageFrame } from '../list-changes/stream-frames.js';
import type { Json } from '../protocol/protocol.js';

/** Sends the notifications of one request and then its response as server-sent events. */
export class EventStream {
  readonly readable = new Readable({ read: () => undefined });

  notify(message: Json): void {
    this.push(JSON.stringify(message));
  }

  end(responseJson: string): void {
    this.push(responseJson);
    this.readable.push(null);
  }

  private push(json: string): void {
    if (!this.readable.destroyed) this.readable.push(messageFrame(json));
  }
}
