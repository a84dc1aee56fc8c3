import { Redis } from 'ioredis';
import { ConfigError } from '../config/config-error.js';

/**
 * Refuses to boot with a Redis that does not answer: several processes would each keep limits of their own, in silence. One
 * that goes away later is lived without until it is back.
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
