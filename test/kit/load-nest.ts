/**
 * For jest's `setupFiles`. @nestjs/throttler is CommonJS and requires the ESM @nestjs/common; jest's module loader rejects that
 * as a cycle unless Nest was evaluated before the graph that imports both. Node itself has no such limitation.
 */
await import('@nestjs/core');

export {};
