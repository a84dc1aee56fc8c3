import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Maintenance } from '../../kit/index.js';

@Injectable()
export class PgMaintenance extends Maintenance {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    super();
  }

  override async query<R extends object>(sql: string, values: readonly unknown[] = []): Promise<R[]> {
    const runner = this.dataSource.createQueryRunner();
    try {
      // the structured result has the rows alike for reads and changes
      return ((await runner.query(sql, [...values], true)).records ?? []) as R[];
    } finally {
      await runner.release();
    }
  }
}
