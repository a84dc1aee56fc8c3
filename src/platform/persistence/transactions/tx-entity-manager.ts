import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { TxConnection } from './tx-connection.js';

/** What PostgreSQL skips before a command. */
const BEFORE_COMMAND = /^(?:[\s;]|--[^\r\n]*|\/\*(?:(?!\*\/|\/\*)[^])*\*\/)*/;
/** Commands that end a transaction; savepoints may be used freely. */
const ENDS_TRANSACTION = /^(COMMIT|END|ABORT|PREPARE\s+TRANSACTION|ROLLBACK(?!\s+(WORK\s+|TRANSACTION\s+)?TO\b))\b/i;

/**
 * TypeORM's EntityManager on a transaction of the store. Its query runner takes no connection from the pool: `connect`, by
 * which a runner gets its connection, returns the transaction's.
 */
export async function entityManagerOn(
  dataSource: DataSource,
  connection: TxConnection,
  inspect: (text: string, values: readonly unknown[]) => void,
): Promise<EntityManager> {
  const runner: QueryRunner = dataSource.createQueryRunner();
  runner.connect = () => Promise.resolve({ query: queryOf(connection, inspect) });
  // without it TypeORM would begin and commit a transaction of its own around each write
  await runner.startTransaction();
  return runner.manager;
}

function queryOf(connection: TxConnection, inspect: (text: string, values: readonly unknown[]) => void) {
  return async (text: string, values?: unknown[]) => {
    connection.requireOpen();
    // the store begins the transaction
    if (text === 'START TRANSACTION') return { rows: [], rowCount: null, command: text };
    const command = text.replace(BEFORE_COMMAND, '');
    if (command.startsWith('/*')) throw new Error('A statement of an EntityManager cannot begin with a nested comment.');
    if (ENDS_TRANSACTION.test(command)) throw new Error('The platform ends this transaction; an EntityManager cannot.');
    inspect(text, values ?? []);
    // the extended protocol allows one command per statement, so that none can follow that was not checked
    return connection.on.query({ text, values, queryMode: 'extended' });
  };
}
