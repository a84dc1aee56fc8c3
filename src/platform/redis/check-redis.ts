import { Redis } from 'ioredis';
import { ConfigError } from '../../kit/index.js';

/**
 * Fails the boot if Redis does not respond: otherwise several processes would each apply the limits separately, unnoticed. A Redis
 * that fails later does not stop a process.
 */
export async function checkRedis(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: 5_000, maxRetriesPerRequest: 0, retryStrategy: () => null });
  let reason = '';
  redis.on('error', (error: Error) => (reason = error.message));
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    throw new ConfigError(`The Redis at ${new URL(url).host} cannot be used: ${reason || (error as Error).message}.`);
  } finally {
    redis.disconnect();
  }
}
