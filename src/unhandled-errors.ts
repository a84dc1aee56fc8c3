import { Logger } from '@nestjs/common';

/**
 * From now on, the rejection of a promise that nothing awaits, such as that of a method of the store without `await`, is logged.
 * It would end the process otherwise, with the requests of all others.
 */
export function survivesRejections(): void {
  const log = new Logger('Process');
  process.on('unhandledRejection', (reason) => {
    const { message, stack } = reason instanceof Error ? reason : new Error(String(reason));
    log.error(`A promise that nothing awaits was rejected; an await is missing: ${message}`, stack);
  });
}

/**
 * From now on, an exception that nothing caught, such as one in the callback of a timer, is logged, and the process ends with code 1 after
 * the requests of all others. What the exception interrupted may be half done, so the process does not go on. A second one during the
 * end is not logged: it may come from the log itself.
 */
export function endsOnExceptions(stop: () => void): void {
  const log = new Logger('Process');
  let isEnding = false;
  process.on('uncaughtException', (error: unknown) => {
    if (isEnding) return;
    isEnding = true;
    process.exitCode = 1;
    stop();
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    log.fatal(`Nothing caught an exception; the process ends after the requests that run: ${message}`, stack);
  });
}
