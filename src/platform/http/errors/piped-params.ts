import { HttpException } from '@nestjs/common';
import { PipesConsumer } from '@nestjs/core/pipes/pipes-consumer.js';

const names = new WeakMap<HttpException, string>();

/** The parameter whose value a pipe refused: `@Param('seats', ParseIntPipe)`. The pipes of Nest do not name it. */
export function pipedParam(exception: HttpException): string | undefined {
  return names.get(exception);
}

type Apply = (value: unknown, metadata: { data?: unknown }, pipes: unknown[]) => Promise<unknown>;

const consumer = PipesConsumer.prototype as unknown as { applyPipes: Apply };
const { applyPipes } = consumer;
consumer.applyPipes = async function (...args) {
  try {
    return await applyPipes.apply(this, args);
  } catch (error) {
    const [, { data }] = args;
    if (error instanceof HttpException && typeof data === 'string') names.set(error, data);
    throw error;
  }
};
