/**
 * For jest's `setupFiles`. @nestjs/throttler is CommonJS and requires the ESM @nestjs/common; under jest's module loader that
 * is refused as a cycle unless Nest was evaluated before the graph that imports both. Node itself has no such trouble.
 */
await import('@nestjs/core');

export {};
