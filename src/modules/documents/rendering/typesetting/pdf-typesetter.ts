import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { typesetJob, type PdfJob } from './pdf-job.js';
import { PdfThread } from './pdf-thread.js';

/** Makes PDFs beside the event loop. Run from source there is no compiled file a thread could start from: then in it. */
@Injectable()
export class PdfTypesetter implements OnModuleDestroy {
  private readonly thread = import.meta.url.endsWith('.ts') ? null : new PdfThread();

  typeset(job: PdfJob): Promise<Buffer> {
    return this.thread ? this.thread.typeset(job) : typesetJob(job);
  }

  async onModuleDestroy(): Promise<void> {
    await this.thread?.close();
  }
}
