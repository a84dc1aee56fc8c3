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
