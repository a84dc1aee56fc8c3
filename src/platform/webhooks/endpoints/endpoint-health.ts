import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BatchWriter } from '../../persistence/batches/batch-writer.js';
import { poolOf } from '../../persistence/database/pool.js';
import { EndpointSwitch } from './endpoint-switch.js';
import { WEBHOOK_SETTINGS, type WebhookSettings } from '../sending/webhook-settings.js';

/** An observation of an endpoint. */
export interface EndpointNews {
  endpointId: string;
  /** Whether a delivery succeeded; undefined: not known. */
  works?: boolean;
  /** Whether responses are slow. */
  slow?: boolean;
  /** It responded with 410. */
  gone?: boolean;
}

const MOST_PER_BATCH = 1_000;

/**
 * Stores whether endpoints are failing or slow, for the claims of all workers, and disables those that are gone or have failed
 * for too long. Separate from the results: disabling an endpoint with a long backlog must not delay them.
 */
@Injectable()
export class EndpointHealth {
  private readonly news: BatchWriter<EndpointNews>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly endpoints: EndpointSwitch,
    @Inject(WEBHOOK_SETTINGS) private readonly settings: WebhookSettings,
  ) {
    this.news = new BatchWriter<EndpointNews>({
      items: 'observations of webhook endpoints',
      write: (batch) => this.draw(batch),
      maxBatch: MOST_PER_BATCH,
      delayMs: 0,
      retryForMs: settings.leaseMs,
    });
  }

  note(news: EndpointNews): void {
    this.news.add(news);
  }

  drain(): Promise<void> {
    return this.news.close();
  }

  private async draw(batch: readonly EndpointNews[]): Promise<void> {
    const known = new Map<string, EndpointNews>();
    for (const { endpointId, works, slow, gone } of batch) {
      const before = known.get(endpointId);
      known.set(endpointId, {
        endpointId,
        works: either(before?.works, works),
        slow: either(before?.slow, slow),
        gone: either(before?.gone, gone),
      });
    }
    const all = [...known.values()];
    for (const { endpointId, gone } of all) if (gone) await this.endpoints.disable(endpointId, 'gone');
    for (const id of await this.write(all)) await this.endpoints.disable(id, 'failing');
  }

  /** Resolves to those that have failed for too long. */
  private async write(news: readonly EndpointNews[]): Promise<string[]> {
    const since = (column: string, bad: string) =>
      `${column} = CASE WHEN ${bad} THEN COALESCE(w.${column}, now()) WHEN NOT ${bad} THEN NULL ELSE w.${column} END`;
    const { rows } = await poolOf(this.dataSource).query<{ id: string; overdue: boolean }>(
      `UPDATE webhook_endpoints w SET ${since('failing_since', '(NOT h.works)')}, ${since('slow_since', 'h.slow')}
       FROM (SELECT w.id, h.works, h.slow FROM unnest($1::uuid[], $2::boolean[], $3::boolean[]) AS h(id, works, slow) JOIN
       webhook_endpoints w ON w.id = h.id ORDER BY w.id FOR NO KEY UPDATE OF w) AS h
       WHERE w.id = h.id AND w.status = 'enabled'
       RETURNING w.id, COALESCE(NOT h.works AND w.failing_since < now() - $4 * interval '1 hour', false) AS overdue`,
      [
        news.map(({ endpointId }) => endpointId),
        news.map(({ works }) => works ?? null),
        news.map(({ slow }) => slow ?? null),
        this.settings.disableAfterHours,
      ],
    );
    return rows.filter(({ overdue }) => overdue).map(({ id }) => id);
  }
}

/** Merges two observations: one success among failures counts as success, one slow response among fast ones as slow. */
function either(before: boolean | undefined, now: boolean | undefined): boolean | undefined {
  return before === undefined ? now : before || now;
}
