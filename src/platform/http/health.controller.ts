import { Controller, Get, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CommonErrors, Public } from '../../kit/index.js';

const PUBLIC_REASON = 'A probe has no key, and the response reveals nothing';

interface Health {
  status: 'ok';
}

/** For load balancers and container runtimes. */
@Controller('health')
export class HealthController implements OnApplicationBootstrap {
  private isInitialized = false;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  onApplicationBootstrap(): void {
    this.isInitialized = true;
  }

  /** An older name of `ready`. */
  @Get()
  @Public(PUBLIC_REASON, { limited: false })
  health(): Promise<Health> {
    return this.ready();
  }

  /** The process is running. The database is not checked: restarting this process would not repair it. */
  @Get('live')
  @Public(PUBLIC_REASON, { limited: false })
  live(): Health {
    return { status: 'ok' };
  }

  /** Requests can be served: the application is initialized and its database responds. */
  @Get('ready')
  @Public(PUBLIC_REASON, { limited: false })
  async ready(): Promise<Health> {
    if (!this.isInitialized) throw CommonErrors.unavailable({ message: 'The application is starting.' });
    try {
      await this.dataSource.query('SELECT 1');
    } catch (cause) {
      throw CommonErrors.unavailable({ message: 'The database does not respond.', cause });
    }
    return { status: 'ok' };
  }
}
