# frozen_string_literal: true

# Minimal HTTP server for a Rack application, with only what the tests need: `ruby rack-server.rb app.rb`.
require 'socket'
require_relative File.expand_path(ARGV.fetch(0))

server = TCPServer.new('127.0.0.1', Integer(ENV.fetch('PORT')))
loop do
  Thread.new(server.accept) do |socket|
    method, path = socket.gets.split
    env = { 'REQUEST_METHOD' => method, 'PATH_INFO' => path }
    while (line = socket.gets.chomp) != ''
      name, value = line.split(': ', 2)
      env["HTTP_#{name.upcase.tr('-', '_')}"] = value
    end
    status, headers, body = ChatToken.call(env)
    socket.write("HTTP/1.1 #{status} OK\r\nconnection: close\r\n")
    headers.each { |name, value| socket.write("#{name}: #{value}\r\n") }
    socket.write("\r\n#{body.join}")
  ensure
    socket.close
  end
end
