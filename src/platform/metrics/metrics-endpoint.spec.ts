import { expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { Secret } from '../../kit/index.js';
import { MetricsEndpoint } from './metrics-endpoint.js';
import { PrometheusMetrics } from './prometheus-metrics.js';

Logger.overrideLogger(false);
const metrics = new PrometheusMetrics(new Pool({ max: 7 }), { version: '1.2.3', commit: null });

test('a port of their own serves only the metrics, with a token if there is one, and must be free', async () => {
  const settings = { metricsHost: '127.0.0.1', metricsPort: 0, metricsToken: new Secret('a-token-of-the-test') };
  const endpoint = new MetricsEndpoint(metrics, settings);
  await endpoint.onApplicationBootstrap();
  try {
    const port = endpoint.port!;
    const get = (path: string, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers });
    const right = { Authorization: 'Bearer a-token-of-the-test' };
    expect(await (await get('/metrics', right)).text()).toContain('\ndb_client_connection_max 7\n');
    expect((await get('/metrics')).status).toBe(401);
    expect((await get('/health', right)).status).toBe(404);
    expect(endpoint.onMainPort).toBe(false);
    await expect(new MetricsEndpoint(metrics, { ...settings, metricsPort: port }).onApplicationBootstrap()).rejects.toThrow(
      `METRICS_PORT ${port} cannot be opened on METRICS_HOST 127.0.0.1 (EADDRINUSE)`,
    );
  } finally {
    endpoint.onApplicationShutdown();
  }
});

test('a process without metrics serves none', async () => {
  const endpoint = new MetricsEndpoint(null, { metricsHost: '127.0.0.1' });
  await endpoint.onApplicationBootstrap();
  expect([endpoint.port, endpoint.onMainPort]).toEqual([null, false]);
});
