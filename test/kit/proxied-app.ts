import { createTestApp } from './app.js';
import type { TestAppOptions } from './test-app.js';

/** The application behind a proxy: `X-Forwarded-For` gives each visitor an address. */
export function createProxiedApp(options: TestAppOptions = {}) {
  return createTestApp({ ...options, env: { TRUSTED_PROXIES: '127.0.0.1', ...options.env } });
}
