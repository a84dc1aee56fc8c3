import { Injectable } from '@nestjs/common';

/** Whether this process is about to stop: it still serves requests, but is not ready, and its responses end their connections. */
@Injectable()
export class Draining {
  private begun = false;

  get isDraining(): boolean {
    return this.begun;
  }

  begin(): void {
    this.begun = true;
  }
}
