/** A type of browsers that the generated code names and @types/node leaves out. */
type BodyInit = NonNullable<RequestInit['body']>;
