import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { SharedRead } from '../persistence/database/shared-read.js';
import type { Backlog } from './metrics.js';

/** What is due in the queues, read from the database when Prometheus asks. */
export class Backlogs {
  private readonly statements: string[] = [];
  private readonly due: SharedRead<Backlog>;
  private readonly depth: Gauge;
  private readonly oldest: Gauge;
  private readonly readable: Gauge;

  constructor(pool: Pool, registry: Registry) {
    this.due = new SharedRead(
      () => pool,
      () => this.statements.map((one) => `(${one})`).join(' UNION ALL '),
    );
    const labelNames = ['queue', 'kind'];
    const registers = [registry];
    this.depth = new Gauge({
      name: 'work_suite_queue_depth',
      help: 'Work that is due and not claimed by a worker. The same in every process.',
      labelNames,
      registers,
    });
    this.oldest = new Gauge({
      name: 'work_suite_queue_oldest_due_seconds',
      help: 'Since when the oldest of that work is due. The same in every process.',
      labelNames,
      registers,
    });
    this.readable = new Gauge({
      name: 'work_suite_queue_readable',
      help: 'Whether the queues could be read for this scrape; if not, their depths and ages are missing.',
      registers,
    });
  }

  add(statement: string): void {
    this.statements.push(statement);
  }

  async update(): Promise<void> {
    const rows = this.statements.length > 0 ? await this.due.rows() : [];
    this.depth.reset();
    this.oldest.reset();
    this.readable.set(rows === null ? 0 : 1);
    for (const { queue, kind, depth, oldest_due_seconds } of rows ?? []) {
      this.depth.set({ queue, kind }, depth);
      this.oldest.set({ queue, kind }, oldest_due_seconds);
    }
  }
}
