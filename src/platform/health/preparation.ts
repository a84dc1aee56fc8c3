import { Injectable } from '@nestjs/common';

/** Whether this process still prepares data, such as the demo workspace: it serves requests, but is not ready. */
@Injectable()
export class Preparation {
  private running = 0;

  get isRunning(): boolean {
    return this.running > 0;
  }

  async during<R>(work: () => Promise<R>): Promise<R> {
    this.running++;
    try {
      return await work();
    } finally {
      this.running--;
    }
  }
}
