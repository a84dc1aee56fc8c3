import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Release } from '../health/release.js';
import { poolOf } from '../persistence/database/pool.js';
import { customFieldsOf } from '../persistence/rows/custom-field-definitions.js';
import { MetricsEndpoint, type EndpointSettings } from './metrics-endpoint.js';
import { Metrics } from './metrics.js';
import type { PrometheusMetrics } from './prometheus-metrics.js';

/** Metrics for Prometheus, if METRICS_PORT or METRICS_TOKEN is set. Needs persistence and health. */
@Global()
@Module({})
export class MetricsModule {
  static register(settings: EndpointSettings): DynamicModule {
    return {
      module: MetricsModule,
      providers: [
        {
          provide: Metrics,
          inject: [DataSource, Release],
          useFactory: async (dataSource: DataSource, release: Release): Promise<Metrics> => {
            if (settings.metricsPort === undefined && settings.metricsToken === undefined) return new Metrics();
            // the library is loaded only where it is used
            const { PrometheusMetrics } = await import('./prometheus-metrics.js');
            const metrics = new PrometheusMetrics(poolOf(dataSource), release);
            metrics.cache('custom_fields', customFieldsOf(dataSource).use);
            return metrics;
          },
        },
        {
          provide: MetricsEndpoint,
          inject: [Metrics],
          useFactory: (metrics: Metrics) => new MetricsEndpoint(metrics.enabled ? (metrics as PrometheusMetrics) : null, settings),
        },
      ],
      exports: [Metrics, MetricsEndpoint],
    };
  }
}
