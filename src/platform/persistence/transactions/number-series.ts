import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { run } from '../rows/reader.js';

/** Who asked for numbers of one series, since the last statement left. */
interface Series {
  organizationId: string;
  /** The organization's id for its own series. */
  projectId: string;
  mode: string;
  name: string;
  /** In the order in which they asked. */
  waiting: PromiseWithResolvers<number>[];
}

/**
 * Numbers that are given once and for all, whether or not the change that asked commits: nobody waits for the end of
 * another's transaction. All who ask while a statement runs share the next one.
 *
 * The statement has a connection of its own, since whoever asks holds one of the pool's already. It does not wait for the
 * disk: its commit precedes that of any change that uses its numbers, so a crash that loses it loses those as well.
 */
@Injectable()
export class NumberSeries implements OnApplicationShutdown {
  private readonly pool: Pool;
  private asked = new Map<string, Series>();
  private running = false;

  constructor(url: string) {
    this.pool = new Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 10_000, application_name: 'work-suite numbers' });
    // a connection lost while idle is replaced at the next need
    this.pool.on('error', () => undefined);
  }

  next(organizationId: string, projectId: string, mode: string, name: string): Promise<number> {
    const key = `${organizationId}${projectId}${mode}${name}`;
    let series = this.asked.get(key);
    if (!series) this.asked.set(key, (series = { organizationId, projectId, mode, name, waiting: [] }));
    const number = Promise.withResolvers<number>();
    series.waiting.push(number);
    if (!this.running) void this.work();
    return number.promise;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  private async work(): Promise<void> {
    this.running = true;
    while (this.asked.size > 0) {
      // always in the same order, so that two processes lock the rows alike
      const batch = [...this.asked].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, series]) => series);
      this.asked = new Map();
      try {
        await this.take(batch);
      } catch (error) {
        for (const { waiting } of batch) for (const { reject } of waiting) reject(error);
      }
    }
    this.running = false;
  }

  private async take(batch: readonly Series[]): Promise<void> {
    const { rows } = await run<{ ordinal: number; last: number }>(this.pool, {
      text: `WITH taken AS (
               INSERT INTO counters AS c (organization_id, project_id, mode, series, last)
               SELECT s.* FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::integer[]) AS s,
               set_config('synchronous_commit', 'off', true)
               ON CONFLICT (organization_id, project_id, mode, series) DO UPDATE SET last = c.last + excluded.last
               RETURNING organization_id, project_id, mode, series, last
             )
             SELECT s.ordinal::integer, taken.last FROM taken
             JOIN unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY AS s (organization_id, project_id, mode,
             series, ordinal)
             USING (organization_id, project_id, mode, series)`,
      values: [
        batch.map((s) => s.organizationId),
        batch.map((s) => s.projectId),
        batch.map((s) => s.mode),
        batch.map((s) => s.name),
        batch.map((s) => s.waiting.length),
      ],
    });
    for (const { ordinal, last } of rows) {
      const { waiting } = batch[ordinal - 1];
      waiting.forEach(({ resolve }, index) => resolve(last - waiting.length + 1 + index));
    }
  }
}
