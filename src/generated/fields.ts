// Generated from schemas/*.schema.json; do not edit.

/**
 * The known structure of a value in a document: its fields, the items of a list, the values of a mapping; under
 * `open` any further name is allowed, `readOnly` is set only by the service, `writeOnly` is secret.
 */
export interface Field {
  readonly fields?: Readonly<Record<string, Field>>;
  readonly items?: Field;
  readonly values?: Field;
  readonly open?: true;
  readonly readOnly?: true;
  readonly writeOnly?: true;
}

/** The known fields of the documents of each kind, those of a `spec` from sections 2.1 to 2.4. */
export const fields: {
  readonly agent: Field;
  readonly credential: Field;
  readonly policy: Field;
  readonly toolset: Field;
  readonly workspace: Field;
} = {
  agent: {
    fields: {
      apiVersion: {},
      kind: {},
      metadata: { fields: { name: {}, labels: { open: true }, annotations: { open: true } } },
      for_each: { values: { open: true }, open: true },
      spec: {
        fields: {
          name: {},
          system_prompt: {},
          description: {},
          features: {
            items: {
              fields: {
                type: {},
                config: { open: true, fields: { module_mode: { open: true } } },
                priority: {},
              },
            },
          },
          tools: {},
          llm_credential_id: {},
          provider_id: {},
          model: {},
          top_p: {},
          temperature: {},
          response_format: { open: true },
          api_key: { writeOnly: true },
          template_type: { open: true },
          agent_role: { open: true },
          agent_instructions: { open: true },
          examples: { open: true },
          tool: { open: true },
          tool_usage_description: { open: true },
          version: {},
          _id: { readOnly: true },
          created_at: { readOnly: true },
          updated_at: { readOnly: true },
        },
      },
      lifecycle: {
        fields: {
          protect: {},
          adopt: { open: true },
          moved_from: {},
          on_removal: {},
          on_replaced: {},
          environments: {},
        },
      },
    },
  },
  credential: {
    fields: {
      apiVersion: {},
      kind: {},
      metadata: { fields: { name: {}, labels: { open: true }, annotations: { open: true } } },
      for_each: { values: { open: true }, open: true },
      spec: {
        fields: {
          name: {},
          provider_id: {},
          credentials: { open: true, writeOnly: true },
          meta_data: { open: true },
          _id: { readOnly: true },
          created_at: { readOnly: true },
          updated_at: { readOnly: true },
        },
      },
      lifecycle: {
        fields: {
          protect: {},
          adopt: { open: true },
          moved_from: {},
          on_removal: {},
          on_replaced: {},
          environments: {},
        },
      },
    },
  },
  policy: {
    fields: {
      apiVersion: {},
      kind: {},
      metadata: { fields: { name: {}, labels: { open: true }, annotations: { open: true } } },
      for_each: { values: { open: true }, open: true },
      spec: {
        fields: {
          name: {},
          description: {},
          allowed_topics: { fields: { enabled: {}, topics: { items: { open: true } } } },
          banned_topics: { fields: { enabled: {}, topics: { items: { open: true } } } },
          keywords: { fields: { enabled: {}, keywords: { items: { open: true } } } },
          toxicity_check: { fields: { enabled: {}, threshold: {} } },
          prompt_injection: { fields: { enabled: {}, threshold: {} } },
          secrets_detection: { fields: { enabled: {}, action: {} } },
          pii_detection: {
            fields: {
              enabled: {},
              types: { open: true },
              custom_pii: { items: { fields: { label: {}, replacement: {}, action: {} } } },
            },
          },
          user_id: {},
          _id: { readOnly: true },
          created_at: { readOnly: true },
          updated_at: { readOnly: true },
        },
      },
      lifecycle: {
        fields: {
          protect: {},
          adopt: { open: true },
          moved_from: {},
          on_removal: {},
          on_replaced: {},
          environments: {},
        },
      },
    },
  },
  toolset: {
    fields: {
      apiVersion: {},
      kind: {},
      metadata: { fields: { name: {}, labels: { open: true }, annotations: { open: true } } },
      for_each: { values: { open: true }, open: true },
      operations: { items: { fields: { tag: {} } } },
      spec: {
        fields: {
          tool_set_name: {},
          openapi_schema: { open: true },
          default_headers: {
            open: true,
            fields: {
              authorization: { writeOnly: true },
              "proxy-authorization": { writeOnly: true },
              cookie: { writeOnly: true },
              "api-key": { writeOnly: true },
              "x-api-key": { writeOnly: true },
            },
          },
          default_query_params: { open: true },
          default_body_params: { open: true },
          endpoint_defaults: { open: true },
          enhance_descriptions: {},
          provider_api_key: { writeOnly: true },
          _id: { readOnly: true },
          created_at: { readOnly: true },
          updated_at: { readOnly: true },
        },
      },
      lifecycle: {
        fields: {
          protect: {},
          adopt: { open: true },
          moved_from: {},
          on_removal: {},
          on_replaced: {},
          environments: {},
        },
      },
    },
  },
  workspace: {
    fields: {
      apiVersion: {},
      kind: {},
      metadata: { fields: { name: {} } },
      spec: {
        fields: {
          service: {
            fields: {
              base_url: {},
              rai_base_url: {},
              api_key: { writeOnly: true },
              field_names: { open: true },
              tool_ids: {},
              id_pointers: { fields: { policy: {}, tool: {}, toolset: {}, credential: {}, agent: {} } },
              operations: {
                fields: {
                  policy: {
                    fields: {
                      read: { fields: { request: {}, host: {}, object: {}, gone: {} } },
                      list: {
                        fields: {
                          request: {},
                          host: {},
                          items: {},
                          object: {},
                          id: {},
                          next: {},
                          parameter: {},
                        },
                      },
                      update: { fields: { request: {}, host: {} } },
                      delete: { fields: { request: {}, host: {}, gone: {} } },
                    },
                  },
                  toolset: {
                    fields: {
                      read: { fields: { request: {}, host: {}, object: {}, gone: {} } },
                      list: {
                        fields: {
                          request: {},
                          host: {},
                          items: {},
                          object: {},
                          id: {},
                          next: {},
                          parameter: {},
                        },
                      },
                      delete: { fields: { request: {}, host: {}, gone: {} } },
                    },
                  },
                  credential: {
                    fields: {
                      read: { fields: { request: {}, host: {}, object: {}, gone: {} } },
                      list: {
                        fields: {
                          request: {},
                          host: {},
                          items: {},
                          object: {},
                          id: {},
                          next: {},
                          parameter: {},
                        },
                      },
                      update: { fields: { request: {}, host: {} } },
                      delete: { fields: { request: {}, host: {}, gone: {} } },
                    },
                  },
                  agent: {
                    fields: {
                      read: { fields: { request: {}, host: {}, object: {}, gone: {} } },
                      list: {
                        fields: {
                          request: {},
                          host: {},
                          items: {},
                          object: {},
                          id: {},
                          next: {},
                          parameter: {},
                        },
                      },
                      delete: { fields: { request: {}, host: {}, gone: {} } },
                    },
                  },
                },
              },
              rejected_statuses: {},
            },
          },
          include: {},
          variables: { values: { fields: { description: {}, default: {} } }, open: true },
          environments: {
            values: {
              fields: {
                service: {
                  fields: {
                    base_url: {},
                    rai_base_url: {},
                    api_key: { writeOnly: true },
                    field_names: { open: true },
                    tool_ids: {},
                    id_pointers: { fields: { policy: {}, tool: {}, toolset: {}, credential: {}, agent: {} } },
                    operations: {
                      fields: {
                        policy: {
                          fields: {
                            read: { fields: { request: {}, host: {}, object: {}, gone: {} } },
                            list: {
                              fields: {
                                request: {},
                                host: {},
                                items: {},
                                object: {},
                                id: {},
                                next: {},
                                parameter: {},
                              },
                            },
                            update: { fields: { request: {}, host: {} } },
                            delete: { fields: { request: {}, host: {}, gone: {} } },
                          },
                        },
                        toolset: {
                          fields: {
                            read: { fields: { request: {}, host: {}, object: {}, gone: {} } },
                            list: {
                              fields: {
                                request: {},
                                host: {},
                                items: {},
                                object: {},
                                id: {},
                                next: {},
                                parameter: {},
                              },
                            },
                            delete: { fields: { request: {}, host: {}, gone: {} } },
                          },
                        },
                        credential: {
                          fields: {
                            read: { fields: { request: {}, host: {}, object: {}, gone: {} } },
                            list: {
                              fields: {
                                request: {},
                                host: {},
                                items: {},
                                object: {},
                                id: {},
                                next: {},
                                parameter: {},
                              },
                            },
                            update: { fields: { request: {}, host: {} } },
                            delete: { fields: { request: {}, host: {}, gone: {} } },
                          },
                        },
                        agent: {
                          fields: {
                            read: { fields: { request: {}, host: {}, object: {}, gone: {} } },
                            list: {
                              fields: {
                                request: {},
                                host: {},
                                items: {},
                                object: {},
                                id: {},
                                next: {},
                                parameter: {},
                              },
                            },
                            delete: { fields: { request: {}, host: {}, gone: {} } },
                          },
                        },
                      },
                    },
                    rejected_statuses: {},
                  },
                },
                variables: { open: true },
              },
            },
            open: true,
          },
          extra_fields: { fields: { policy: {}, toolset: {}, credential: {}, agent: {} } },
          defaults: { items: { fields: { kind: {}, selector: { open: true }, spec: {} } } },
          ignore: {},
          limits: { fields: { orphans: {} } },
          lock: {
            fields: {
              store: {},
              remote: {},
              ref: {},
              gitlab: { fields: { project: {}, name: {} } },
              address: {},
              lock_address: {},
              unlock_address: {},
              lock_method: {},
              unlock_method: {},
              username: {},
              password: { writeOnly: true },
              url: { writeOnly: true },
              schema: {},
              bucket: {},
              key: {},
              region: {},
              endpoint: {},
            },
          },
        },
      },
    },
  },
};
