import { snakeCase } from '../../../kit/internal.js';
import { titleOf } from '../rows/row-title.js';
import type { FrozenEvent } from './frozen-event.js';

interface SeenRow {
  id: string;
  version: number;
}

/** What a run of a change would send, and which rows it locks or changes. Recorded only for dry runs and for calls that follow a plan. */
export class CallEffects {
  readonly mails: { to: string; subject: string }[] = [];
  readonly deleted: { object: string; id: string; title?: string; restorable_until?: string }[] = [];
  private readonly versions = new Map<string, number>();
  private readonly made = new Set<string>();

  /** A change may run several times; only the last run counts. */
  begin(): void {
    this.mails.length = 0;
    this.deleted.length = 0;
    this.versions.clear();
    this.made.clear();
  }

  /** The version before the change. Rows that the change itself has made have other ids in each run. */
  saw(table: string, { id, version }: SeenRow): void {
    const key = `${table} ${id}`;
    if (!this.made.has(key) && !this.versions.has(key)) this.versions.set(key, version);
  }

  wrote(table: string, { id }: SeenRow): void {
    this.made.add(`${table} ${id}`);
  }

  /** `until` says how long the row can be restored; null if it cannot. */
  removed(entity: string, row: SeenRow, until: Date | null): void {
    const title = titleOf(row);
    this.deleted.push({
      object: snakeCase(entity),
      id: row.id,
      ...(title === undefined ? {} : { title }),
      ...(until === null ? {} : { restorable_until: until.toISOString() }),
    });
  }

  /** Equal for two runs if they find the same versions of the same rows, emit the same events about them and write to the same people. */
  summary(events: readonly FrozenEvent[]): string {
    const known = new Set([...this.versions.keys()].map((key) => key.slice(key.indexOf(' ') + 1)));
    const emitted = events.map(({ type, rest }) => {
      const { data } = JSON.parse(`{${rest}`) as { data: { object: { id?: string } } };
      return [type, data.object.id !== undefined && known.has(data.object.id) ? data.object.id : null];
    });
    const rows = [...this.versions].sort(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify([rows, emitted.map((event) => JSON.stringify(event)).sort(), this.mails.map(({ to }) => to).sort()]);
  }
}
