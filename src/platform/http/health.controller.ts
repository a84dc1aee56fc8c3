import { Controller, Get, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CommonErrors, Public } from '../../kit/index.js';

const WHY_PUBLIC = 'A probe has no key, and the response reveals nothing';

interface Health {
  status: 'ok';
}

/** For load balancers and container runtimes. */
@Controller('health')
export class HealthController implements OnApplicationBootstrap {
  private isSetUp = false;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  onApplicationBootstrap(): void {
    this.isSetUp = true;
  }

  /** The name that probes used before there were two; the same as `ready`. */
  @Get()
  @Public(WHY_PUBLIC, { limited: false })
  health(): Promise<Health> {
    return this.ready();
  }

  /** The process runs. It does not look at the database: restarting this process would not bring that back. */
  @Get('live')
  @Public(WHY_PUBLIC, { limited: false })
  live(): Health {
    return { status: 'ok' };
  }

  /** Requests can be served: the application is set up and its database answers. */
  @Get('ready')
  @Public(WHY_PUBLIC, { limited: false })
  async ready(): Promise<Health> {
    if (!this.isSetUp) throw CommonErrors.unavailable({ message: 'The application is starting.' });
    try {
      await this.dataSource.query('SELECT 1');
    } catch (cause) {
      throw CommonErrors.unavailable({ message: 'The database does not answer.', cause });
    }
    return { status: 'ok' };
  }
}
