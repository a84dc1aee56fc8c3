import { defineEvents, event } from '../../../kit/index.js';
import { LeaveRequestDto } from './leave-request.dto.js';

const permission = 'hr.leave.decide';

/** Events about leave, as API keys see it: hidden types are null, and there are no reasons or notes. */
export const LeaveEvents = defineEvents({
  leaveRequestCreated: event({
    name: 'leave_request.created',
    description: 'Leave was requested or entered.',
    permission,
    payload: LeaveRequestDto,
  }),
  leaveRequestStatusChanged: event({
    name: 'leave_request.status_changed',
    description: 'Leave was approved, rejected or withdrawn.',
    permission,
    payload: LeaveRequestDto,
    context: { from: 'The status before.', to: 'The status now.', trigger: '`approve`, `reject` or `withdraw`.' },
  }),
  leaveApproved: event({
    name: 'leave.approved',
    description: 'Leave is approved, by somebody or because its type needs no approval.',
    permission,
    payload: LeaveRequestDto,
    internal: true,
  }),
});
