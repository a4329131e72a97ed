-- Where clients reach a node, for drivers that place it elsewhere than where its gateway says that it listens: {host, ports: {broker_tcp, …}}.
ALTER TABLE nodes ADD COLUMN address jsonb;
