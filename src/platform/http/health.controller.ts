import { Controller, Get } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CommonErrors, Public } from '../../kit/index.js';

/** For load balancers and container runtimes. */
@Controller('health')
export class HealthController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Get()
  @Public('A probe has no key, and the answer tells nothing', { limited: false })
  async check(): Promise<{ status: 'ok' }> {
    try {
      await this.dataSource.query('SELECT 1');
    } catch (cause) {
      throw CommonErrors.unavailable({ message: 'The database does not answer.', cause });
    }
    return { status: 'ok' };
  }
}
