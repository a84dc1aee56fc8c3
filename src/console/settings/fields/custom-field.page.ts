import { html, redirect, type Html, type ProjectDto } from '../../../kit/index.js';
import type { CustomFieldDto } from '../../../kit/internal.js';
import { badge } from '../../components/badge.js';
import { typedConfirmation, requireTyped } from '../../components/typed-confirmation.js';
import { definePage } from '../../frame/page-definition.js';
import type { Visit } from '../../frame/visit.js';
import { commonFields, commonValues, FIELDS_PATH, indexBadge, resourcesOf, typeWords, wordsOf } from './field-words.js';

const ABOVE = [{ path: FIELDS_PATH, label: 'Custom fields' }];

export const newCustomFieldPage = definePage({
  path: `${FIELDS_PATH}/new`,
  title: 'New custom field',
  permission: 'org.custom_fields.manage',
  operations: ['list_org_custom_field_resources', 'list_org_projects'],
  async show(visit) {
    const resources = await resourcesOf(visit);
    const { data: projects } = await visit.all<ProjectDto>('/projects');
    const form = visit.form('create', { prefill: true });
    const options = (names: readonly string[], words: (name: string) => string) => names.map((value) => ({ value, label: words(value) }));
    const records = resources.map(({ resource }) => resource);
    const inProjects = [{ value: '', label: 'All projects' }, ...projects.map(({ id, name }) => ({ value: id, label: name }))];
    return {
      title: 'New custom field',
      above: ABOVE,
      lead: 'Record, project, key, type and currency cannot be changed later.',
      body: form.render({
        className: 'narrow',
        body: html`${form.select({ name: 'resource', label: 'Record', options: options(records, wordsOf) })}
${form.select({ name: 'project_id', label: 'Project', options: inProjects })}
${form.text({ name: 'label', label: 'Label', attributes: html` maxlength="100"` })}
${form.text({
  name: 'key',
  label: 'Key',
  hint: 'Its name for software: lower-case letters, digits and underscores, a letter first.',
  attributes: html` maxlength="63" pattern="[a-z][a-z0-9_]{0,62}" autocapitalize="none"`,
})}
${form.select({ name: 'type', label: 'Type', options: options(resources[0]?.types ?? [], typeWords) })}
<div class="if-money">${form.text({ name: 'currency', label: 'Currency', hint: 'Such as EUR.', isOptional: true })}</div>
${commonFields(form, {})}`,
        submit: { label: 'Create field' },
      }),
    };
  },
  actions: {
    create: {
      operations: ['create_org_custom_field'],
      refusal: 'The field was not created',
      async run(visit, values) {
        const type = values.text('type');
        const { id } = await visit.post<CustomFieldDto>('/custom-fields', {
          ...commonValues(values, type),
          resource: values.text('resource'),
          project_id: values.optional('project_id'),
          key: values.text('key'),
          type,
          // what was entered for another type is not sent
          currency: type === 'money' ? values.optional('currency') : null,
        });
        return redirect(visit.link(`${FIELDS_PATH}/${id}`, { done: 'created' }));
      },
    },
  },
});

export const customFieldPage = definePage({
  path: `${FIELDS_PATH}/:id`,
  title: 'Custom field',
  permission: 'org.custom_fields.manage',
  operations: ['get_org_custom_field'],
  notices: {
    created: 'The field was created.',
    changed: 'The field was changed.',
    deleted: 'The field was deleted. It can be restored for 30 days.',
    restored: 'The field is there again, with its values.',
  },
  async show(visit) {
    const field = await visit.get<CustomFieldDto>(`/custom-fields/${visit.param('id')}`);
    const { resource, key, type, currency, deleted_at } = field;
    const unit = currency === null ? '' : ` in ${currency}`;
    return {
      title: field.label,
      above: ABOVE,
      lead: html`${wordsOf(resource)}: <code>${key}</code>, ${typeWords(type)}${unit} ${indexBadge(field)}${
        deleted_at !== null && html` ${badge('Deleted')}`
      }`,
      body: deleted_at === null ? html`${changeForm(visit, field)}${deletion(visit, field)}` : restoration(visit),
    };
  },
  actions: {
    change: {
      operations: ['get_org_custom_field', 'update_org_custom_field'],
      refusal: 'The field was not changed',
      async run(visit, values) {
        const path = `/custom-fields/${visit.param('id')}`;
        const { type } = await visit.get<CustomFieldDto>(path);
        const changes = { ...commonValues(values, type), active: values.has('active') };
        await visit.patch(path, changes, Number(values.text('version')));
        return redirect(visit.here({ done: 'changed' }));
      },
    },
    delete: {
      operations: ['get_org_custom_field', 'delete_org_custom_field'],
      refusal: 'The field was not deleted',
      async run(visit, values) {
        const path = `/custom-fields/${visit.param('id')}`;
        requireTyped(values, (await visit.get<CustomFieldDto>(path)).key);
        await visit.delete(`${path}?confirm=true`);
        return redirect(visit.here({ done: 'deleted' }));
      },
    },
    restore: {
      operations: ['restore_org_custom_field'],
      refusal: 'The field was not restored',
      async run(visit) {
        await visit.post(`/custom-fields/${visit.param('id')}/restore`);
        return redirect(visit.here({ done: 'restored' }));
      },
    },
  },
});

function changeForm(visit: Visit, field: CustomFieldDto): Html {
  const form = visit.form('change');
  const active = form.tick({
    name: 'active',
    label: 'Records can get a value',
    hint: 'If not, they keep those that they have.',
    checked: field.active,
  });
  return form.render({
    className: 'narrow',
    version: field.version,
    body: html`${form.text({ name: 'label', label: 'Label', value: field.label })}${commonFields(form, field)}${active}`,
    submit: { label: 'Save' },
  });
}

function deletion(visit: Visit, { key }: CustomFieldDto): Html {
  const explanation = 'Records lose its values. It can be restored with them for 30 days; then they are deleted for good.';
  return html`<h2>Delete it</h2>${typedConfirmation(visit, 'delete', { name: key, explanation, submit: 'Delete field' })}`;
}

function restoration(visit: Visit): Html {
  return html`<p class="soft">Nobody sees its values. They are deleted for good 30 days after the field.</p>${visit
    .form('restore')
    .render({ submit: { label: 'Restore' } })}`;
}
