import type { Mode } from '../../kit/index.js';
import { OpenStream, type StreamEnd, type StreamKey } from './open-stream.js';

/** How long a client waits before it connects again. */
const RETRY_MS = 1_000;

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

export class EventStream extends OpenStream {
  /** `after`: the sequence up to which everything was sent. */
  constructor(
    key: StreamKey,
    readonly filter: StreamFilter,
    public after: number,
    onRead: () => void,
  ) {
    super(key, onRead);
    // an id without data is no event, and is sent as Last-Event-ID by a client whose connection ends before the first one
    this.write(`retry: ${RETRY_MS}\n${this.place()}\n`);
  }

  /** `body`: the JSON of the event. */
  send(sequence: number, projectId: string | null, body: string): void {
    const { pin, projects } = this.filter;
    if (pin !== null && projectId !== pin) return;
    if (projects?.includes(projectId ?? 'none') === false) return;
    this.write(`id: ${sequence}\ndata: ${body}\n\n`);
  }

  /** Says up to where no event matched, too. */
  protected override place(): string {
    return `id: ${this.after}\n`;
  }

  protected override ending(why: StreamEnd): string {
    return `event: end\ndata: ${JSON.stringify(why)}\n\n`;
  }
}
