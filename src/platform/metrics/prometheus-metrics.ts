import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Pool } from 'pg';
import type { Release } from '../health/release.js';
import { Backlogs } from './backlogs.js';
import { Metrics, type CacheUse, type MeasuredRequest, type WorkLabels } from './metrics.js';
import { measurePool } from './pool-metrics.js';

/** Those that OpenTelemetry recommends for requests. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const WORK_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];

/** Collects metrics for Prometheus. The README lists them. */
export class PrometheusMetrics extends Metrics {
  override readonly enabled = true;
  private readonly registry = new Registry();
  private readonly backlogs: Backlogs;

  private readonly requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of requests, by the template of their route.',
    labelNames: ['http_request_method', 'http_route', 'status_class', 'module', 'via'],
    buckets: REQUEST_SECONDS,
    registers: [this.registry],
  });
  private readonly toolCalls = new Histogram({
    name: 'mcp_server_operation_duration_seconds',
    help: 'Duration of the operations that MCP tools call.',
    labelNames: ['gen_ai_tool_name', 'status_class'],
    buckets: REQUEST_SECONDS,
    registers: [this.registry],
  });
  private readonly refusals = new Counter({
    name: 'work_suite_rate_limit_refusals_total',
    help: 'Requests that were rejected by a rate limit.',
    labelNames: ['module', 'via'],
    registers: [this.registry],
  });
  private readonly work = {
    job: this.workHistogram('work_suite_job_duration_seconds', 'Duration of runs of jobs.', ['name', 'outcome']),
    scheduled_job: this.workHistogram('work_suite_scheduled_job_duration_seconds', 'Duration of runs of scheduled jobs.', [
      'name',
      'outcome',
    ]),
    webhook_delivery: this.workHistogram(
      'work_suite_webhook_delivery_duration_seconds',
      'Duration of attempts to deliver a webhook; after the outcome waiting, another attempt follows.',
      ['outcome'],
    ),
    mail: this.workHistogram(
      'work_suite_mail_duration_seconds',
      'Duration of attempts to send a mail; after the outcome queued, another attempt follows.',
      ['outcome'],
    ),
  } satisfies Record<keyof WorkLabels, Histogram>;

  private readonly caches = new Map<string, Readonly<CacheUse>>();

  constructor(pool: Pool, { version, commit }: Pick<Release, 'version' | 'commit'>) {
    super();
    const { caches } = this;
    new Counter({
      name: 'work_suite_cache_lookups_total',
      help: 'Lookups in caches of this process; a miss reads the database.',
      labelNames: ['cache', 'outcome'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [cache, { hits, misses }] of caches) {
          this.inc({ cache, outcome: 'hit' }, hits);
          this.inc({ cache, outcome: 'miss' }, misses);
        }
      },
    });
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'work_suite_build_info',
      help: 'Always 1; the labels tell which version runs.',
      labelNames: ['version', 'commit', 'node_version'],
      registers: [this.registry],
    }).set({ version, commit: commit ?? '', node_version: process.version }, 1);
    measurePool(pool, this.registry);
    this.backlogs = new Backlogs(pool, this.registry);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics as text. */
  async scrape(): Promise<string> {
    await this.backlogs.update();
    return this.registry.metrics();
  }

  override requestEnded({ method, route, module, via, status, seconds, tool, rateLimited }: MeasuredRequest): void {
    const status_class = `${Math.floor(status / 100)}xx`;
    this.requests.observe({ http_request_method: method, http_route: route, status_class, module, via }, seconds);
    if (tool !== null) this.toolCalls.observe({ gen_ai_tool_name: tool, status_class }, seconds);
    if (rateLimited) this.refusals.inc({ module, via });
  }

  override workEnded<K extends keyof WorkLabels>(kind: K, labels: WorkLabels[K], milliseconds: number): void {
    this.work[kind].observe({ ...labels }, milliseconds / 1_000);
  }

  override backlog(statement: string): void {
    this.backlogs.add(statement);
  }

  override cache(name: string, use: Readonly<CacheUse>): void {
    this.caches.set(name, use);
  }

  override outbound(isOpen: () => boolean): void {
    new Gauge({
      name: 'work_suite_outbound_open',
      help: '1 if this process sends webhooks and mails; 0 if OUTBOUND is off or the database is a copy that nobody has confirmed.',
      registers: [this.registry],
      collect() {
        this.set(Number(isOpen()));
      },
    });
  }

  private workHistogram(name: string, help: string, labelNames: string[]): Histogram {
    return new Histogram({ name, help, labelNames, buckets: WORK_SECONDS, registers: [this.registry] });
  }
}
