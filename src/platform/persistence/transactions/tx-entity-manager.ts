import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { TxConnection } from './tx-connection.js';

/** Statements that end a transaction; savepoints may be used freely. */
const ENDS_TRANSACTION = /^\s*(COMMIT|END|ABORT|PREPARE\s+TRANSACTION|ROLLBACK(?!\s+(WORK\s+|TRANSACTION\s+)?TO\b))\b/i;

/**
 * TypeORM's EntityManager on a transaction of the store. Its query runner takes no connection from the pool: `connect`, by
 * which a runner gets its connection, returns the transaction's.
 */
export async function entityManagerOn(dataSource: DataSource, connection: TxConnection): Promise<EntityManager> {
  const runner: QueryRunner = dataSource.createQueryRunner();
  runner.connect = () => Promise.resolve({ query: queryOf(connection) });
  // without it TypeORM would begin and commit a transaction of its own around each write
  await runner.startTransaction();
  return runner.manager;
}

function queryOf(connection: TxConnection) {
  return async (text: string, values?: unknown[]) => {
    connection.requireOpen();
    // the store begins the transaction
    if (text === 'START TRANSACTION') return { rows: [], rowCount: null, command: text };
    if (ENDS_TRANSACTION.test(text)) throw new Error('The platform ends this transaction; an EntityManager cannot.');
    return connection.on.query({ text, values });
  };
}
