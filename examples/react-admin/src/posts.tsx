import {
  BooleanField,
  BooleanInput,
  Create,
  Datagrid,
  DateField,
  Edit,
  EditButton,
  List,
  ReferenceField,
  ReferenceInput,
  required,
  SimpleForm,
  TextField,
  TextInput,
} from 'react-admin';

const filters = [
  <TextInput key="title" source="title__contains" label="Title contains" alwaysOn />,
  <BooleanInput key="published" source="published" />,
];

export function PostList() {
  return (
    <List filters={filters} sort={{ field: 'created_at', order: 'DESC' }}>
      <Datagrid rowClick={false}>
        <TextField source="title" />
        <ReferenceField source="user_id" reference="users" />
        <BooleanField source="published" />
        <DateField source="created_at" showTime />
        <EditButton />
      </Datagrid>
    </List>
  );
}

/**
 * The form waits for the server before it closes, so that it can show why the server has rejected a value.
 */
export function PostEdit() {
  return (
    <Edit mutationMode="pessimistic">
      <PostForm />
    </Edit>
  );
}

export function PostCreate() {
  return (
    <Create redirect="list">
      <PostForm />
    </Create>
  );
}

function PostForm() {
  return (
    <SimpleForm>
      <TextInput source="title" validate={required()} />
      <TextInput source="content" multiline validate={required()} />
      <ReferenceInput source="user_id" reference="users" />
      <BooleanInput source="published" />
    </SimpleForm>
  );
}
