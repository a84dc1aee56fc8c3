import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';

/** The statements that TypeORM generates to make the tables match the entities. */
export async function schemaChanges(app: NestFastifyApplication): Promise<string[]> {
  const { upQueries } = await app.get(DataSource).driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}
