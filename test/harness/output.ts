import type { NestFastifyApplication } from '@nestjs/platform-fastify';

// For `TestApp.inside`: what the application's process prints.

let printed: string[] = [];
let restore: (() => void) | null = null;

/** From now on nothing is printed, and `printedOutput` returns it instead. */
export function holdOutput(_app: NestFastifyApplication): void {
  const streams = [process.stdout, process.stderr];
  const originals = streams.map((stream) => stream.write.bind(stream));
  printed = [];
  for (const stream of streams) stream.write = ((chunk: unknown) => printed.push(String(chunk)) > 0) as typeof stream.write;
  restore = () => streams.forEach((stream, index) => (stream.write = originals[index]));
}

/** What was printed since `holdOutput`, which this ends. */
export function printedOutput(_app: NestFastifyApplication): string {
  restore?.();
  restore = null;
  return printed.join('');
}
