import { type TakenValues } from '../../../../test/contract/taken-values.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import { openDesk, TICKETS } from './desk-fixture.js';

export async function takenValues(app: TestApp): Promise<TakenValues> {
  const desk = await openDesk(app);
  const newTicket = async () => (await desk.make()).id;
  return {
    requests: {
      create_ticket: {
        table: 'desk_tickets',
        value: { external_id: 'new' },
        ready: async () => {
          const body = { subject: 'Printer', requester: { email: 'eve@customer.example' }, message: 'Empty.', notify: false };
          return {
            id: await newTicket(),
            send: () => desk.client.post(TICKETS, { project_id: desk.projectId, ...body, external_id: 'new' }),
          };
        },
      },
      update_ticket: {
        table: 'desk_tickets',
        value: { external_id: 'changed' },
        ready: async () => {
          const [id, changed] = [await newTicket(), await newTicket()];
          return { id, send: () => desk.client.patch(`${TICKETS}/${changed}`, { external_id: 'changed' }) };
        },
      },
    },
  };
}
