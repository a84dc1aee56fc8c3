import { Body, Controller, Delete, Patch, Post } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id } from '../../../kit/index.js';
import {
  CreateTaskLabelDto,
  CreateTaskStatusDto,
  TaskLabelDto,
  TaskStatusDto,
  UpdateTaskLabelDto,
  UpdateTaskStatusDto,
} from '../lookups/task-lookups.dto.js';
import { TaskSetup } from './task-setup.service.js';

const permission = 'org.projects.manage';

@Controller('api/v1/org/tasks')
export class OrgTaskSetupController {
  constructor(private readonly setup: TaskSetup) {}

  @Post('statuses')
  @Endpoint({
    operation: 'create_org_task_status',
    summary: 'Create a status of tasks',
    permission,
    returns: TaskStatusDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createStatus(@Ctx() ctx: Ctx, @Body() body: CreateTaskStatusDto): Promise<TaskStatusDto> {
    return TaskStatusDto.from(await this.setup.createStatus(ctx, body));
  }

  @Patch('statuses/:id')
  @Endpoint({
    operation: 'update_org_task_status',
    summary: 'Change a status of tasks',
    permission,
    returns: TaskStatusDto,
    errors: [CommonErrors.duplicate],
  })
  async updateStatus(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateTaskStatusDto): Promise<TaskStatusDto> {
    return TaskStatusDto.from(await this.setup.updateStatus(ctx, id, body));
  }

  @Delete('statuses/:id')
  @Endpoint({
    operation: 'delete_org_task_status',
    summary: 'Delete an unused status of tasks',
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  deleteStatus(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.deleteStatus(ctx, id);
  }

  @Post('labels')
  @Endpoint({
    operation: 'create_org_task_label',
    summary: 'Create a label of tasks',
    permission,
    returns: TaskLabelDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createLabel(@Ctx() ctx: Ctx, @Body() body: CreateTaskLabelDto): Promise<TaskLabelDto> {
    return TaskLabelDto.from(await this.setup.createLabel(ctx, body));
  }

  @Patch('labels/:id')
  @Endpoint({
    operation: 'update_org_task_label',
    summary: 'Change a label of tasks',
    permission,
    returns: TaskLabelDto,
    errors: [CommonErrors.duplicate],
  })
  async updateLabel(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateTaskLabelDto): Promise<TaskLabelDto> {
    return TaskLabelDto.from(await this.setup.updateLabel(ctx, id, body));
  }

  @Delete('labels/:id')
  @Endpoint({
    operation: 'delete_org_task_label',
    summary: 'Delete an unused label of tasks',
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  deleteLabel(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.deleteLabel(ctx, id);
  }
}
