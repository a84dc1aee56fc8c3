import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BatchWriter } from '../../persistence/batches/batch-writer.js';
import { poolOf } from '../../persistence/database/pool.js';
import { EndpointSwitch } from './endpoint-switch.js';
import { WEBHOOK_SETTINGS, type WebhookSettings } from '../sending/webhook-settings.js';

/** An observation of an endpoint. */
export interface EndpointObservation {
  endpointId: string;
  /** Whether a delivery succeeded; undefined: not known. */
  works?: boolean;
  /** Whether responses are slow. */
  slow?: boolean;
  /** It responded with 410. */
  gone?: boolean;
  /** For how long it asked not to be called. */
  pauseMs?: number;
}

const MAX_BATCH = 1_000;

/**
 * Stores whether endpoints are failing or slow, for the claims of all workers, and disables those that are gone or have failed
 * for too long. Separate from the results: disabling an endpoint with a long backlog must not delay them.
 */
@Injectable()
export class EndpointHealth {
  private readonly observations: BatchWriter<EndpointObservation>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly endpoints: EndpointSwitch,
    @Inject(WEBHOOK_SETTINGS) private readonly settings: WebhookSettings,
  ) {
    this.observations = new BatchWriter<EndpointObservation>({
      items: 'observations of webhook endpoints',
      write: (batch) => this.processBatch(batch),
      maxBatch: MAX_BATCH,
      delayMs: 0,
      retryForMs: settings.leaseMs,
    });
  }

  record(observation: EndpointObservation): void {
    this.observations.add(observation);
  }

  drain(): Promise<void> {
    return this.observations.close();
  }

  private async processBatch(batch: readonly EndpointObservation[]): Promise<void> {
    const known = new Map<string, EndpointObservation>();
    for (const { endpointId, works, slow, gone, pauseMs } of batch) {
      const before = known.get(endpointId);
      known.set(endpointId, {
        endpointId,
        works: merged(before?.works, works),
        slow: merged(before?.slow, slow),
        gone: merged(before?.gone, gone),
        pauseMs: Math.max(before?.pauseMs ?? 0, pauseMs ?? 0),
      });
    }
    const all = [...known.values()];
    for (const { endpointId, gone } of all) if (gone) await this.endpoints.disable(endpointId, 'gone');
    for (const id of await this.write(all)) await this.endpoints.disable(id, 'failing');
  }

  /** Stores the observations. Resolves to the endpoints that have failed for too long. */
  private async write(observations: readonly EndpointObservation[]): Promise<string[]> {
    const since = (column: string, bad: string) =>
      `${column} = CASE WHEN ${bad} THEN COALESCE(w.${column}, now()) WHEN NOT ${bad} THEN NULL ELSE w.${column} END`;
    const { rows } = await poolOf(this.dataSource).query<{ id: string; overdue: boolean }>(
      `UPDATE webhook_endpoints w
       SET ${since('failing_since', '(NOT o.works)')},
           ${since('slow_since', 'o.slow')},
           held_until = CASE
             WHEN o.pause_ms > 0 THEN GREATEST(w.held_until, now() + o.pause_ms * interval '1 millisecond')
             ELSE w.held_until
           END
       FROM (
         SELECT w.id, o.works, o.slow, o.pause_ms
         FROM unnest($1::uuid[], $2::boolean[], $3::boolean[], $5::bigint[]) AS o(id, works, slow, pause_ms)
         JOIN webhook_endpoints w ON w.id = o.id
         ORDER BY w.id
         FOR NO KEY UPDATE OF w
       ) AS o
       WHERE w.id = o.id AND w.status = 'enabled'
       RETURNING w.id, COALESCE(NOT o.works AND w.failing_since < now() - $4 * interval '1 hour', false) AS overdue`,
      [
        observations.map(({ endpointId }) => endpointId),
        observations.map(({ works }) => works ?? null),
        observations.map(({ slow }) => slow ?? null),
        this.settings.disableAfterHours,
        observations.map(({ pauseMs }) => pauseMs ?? 0),
      ],
    );
    return rows.filter(({ overdue }) => overdue).map(({ id }) => id);
  }
}

/** Merges two observations: one success among failures counts as success, one slow response among fast ones as slow. */
function merged(before: boolean | undefined, now: boolean | undefined): boolean | undefined {
  return before === undefined ? now : before || now;
}
